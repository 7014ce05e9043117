-- The stays that one fee rule priced, found without those of all other rules. A stay comes into it once, when it ends.
create index stay_rule on parking.stay (enterprise_id, rule_version_id, seen_at, id) where status = 3 and third_platform is null;
