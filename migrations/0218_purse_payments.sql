-- A payment that comes out of accounts kept here (stored value, points), by what each of them bore. What goes back goes back to them.
create table settlement.leg (
  enterprise_id integer not null default scope_enterprise(), payment_id uuid not null, seq smallint not null, park_code text not null, account text not null references ledger.account, sub text not null,
  amount_fen bigint not null check (amount_fen > 0), booked_fen bigint not null default 0, refund_fen bigint not null default 0,
  primary key (enterprise_id, payment_id, seq), foreign key (enterprise_id, payment_id) references settlement.payment (enterprise_id, id),
  constraint booked_within check (booked_fen between 0 and amount_fen), constraint refund_within check (refund_fen between 0 and amount_fen));
select platform.scoped('settlement.leg', audited => false);

-- What stands on a guarded account, held until the transaction is over: two that spend it at once are one after the other, and the second sees what the first left.
create function ledger.held(of_account text, of_sub text) returns bigint language sql security definer set search_path = '' as $$
  select b.credit_fen - b.debit_fen from ledger.balance b
    where b.enterprise_id = public.scope_enterprise() and b.account = of_account and b.sub = of_sub and b.park_code = '*' and b.stripe = 0 for update;
$$;
revoke all on function ledger.held(text, text) from public;
grant execute on function ledger.held(text, text) to kerbline_app;
