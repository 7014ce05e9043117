-- A charge that nobody paid is a debt like others, but no lane asks for it.
alter table settlement.order drop constraint order_source_type_check, add constraint order_source_type_check check (source_type between 1 and 8);
alter table arrears.record drop constraint record_source_type_check, add constraint record_source_type_check check (source_type between 1 and 8);
