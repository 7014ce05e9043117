-- A lane that was reset may tell of another car under a number that it used minutes before: two plates are two events. Null: told before this was kept.
alter table parking.replayed add plate_no text;
grant update (plate_no) on parking.replayed to kerbline_app;
