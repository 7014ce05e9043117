-- What was corrected or never was (9) is in no list, sum or count unless it is asked for: the state stands in the indexes that those walk.
drop index parking.stay_park;
drop index parking.stay_all;
drop index parking.stay_plate;
drop index parking.stay_abnormal;
create index stay_park on parking.stay (enterprise_id, park_code, seen_at desc, id desc) include (status) where third_platform is null;
create index stay_all on parking.stay (enterprise_id, seen_at desc, id desc) include (park_code, status) where third_platform is null;
create index stay_plate on parking.stay (enterprise_id, plate_no, seen_at desc, id desc) include (status) where third_platform is null;
create index stay_abnormal on parking.stay (enterprise_id, seen_at desc, id desc) include (park_code, status) where abnormal_type <> 0 and third_platform is null;
