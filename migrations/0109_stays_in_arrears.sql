-- How many stays are in arrears stands above the record list whenever it is opened: few rows that were looked for among all of them.
create index stay_owing on parking.stay (enterprise_id, seen_at desc, id desc) include (park_code) where pay_state = 4 and third_platform is null;
