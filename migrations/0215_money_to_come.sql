-- Money that becomes somebody's: an order names the account it is paid into, the ledger's sub-account.
alter table settlement.order add column credited_to text not null default '';
alter table settlement.order drop constraint order_type_check, add constraint order_type_check check (type between 1 and 11);

-- Charging partners owe and are owed; owners of shared bays get their part.
update ledger.account set position = position * 10;
insert into ledger.account (code, name, name_en, kind, normal, detail, guarded, position) values
  ('asset.partner', '应收互联平台', 'Receivable from charging partners', 1, 1, 3, false, 135),
  ('liability.partner', '应付互联平台', 'Payable to charging partners', 2, 2, 3, false, 285),
  ('liability.share', '应付分成', 'Shares payable to bay owners', 2, 2, 3, true, 286);
