-- A sheet that is written later shows personal values as whoever asked for it saw them then.
alter table platform.export_file add whole boolean not null default false;
