-- What is printed on the ground is one of the printed codes: one register, one signature, one page behind it. Before, the code of a berth was signed by a key that nobody who scans asked.
create trigger qrcode after insert on roadside.berth for each row execute function parking.give_qrcode('3', 'seat_code');
insert into parking.qrcode (enterprise_id, target, target_code, park_code) select enterprise_id, 3, seat_code, park_code from roadside.berth where not deleted on conflict do nothing;
alter table roadside.berth drop column short_code, drop column qr_version;
drop function roadside.key_of;
drop table roadside.secret;
