-- Few rows, each changed with every car: room beside each row keeps its new version on the same page, and what is dead is taken away soon.
alter table parking.lane set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
alter table device.presence set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
-- The stays that are under way, and the commands that wait: their indexes must not fill with what is over.
alter table parking.present set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
alter table device.command set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02);
