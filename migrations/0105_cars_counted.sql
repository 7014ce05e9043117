-- How many cars are inside is asked with every car that comes: counted from the index alone, whatever else lies between the rows of one park.
alter table parking.present
  drop constraint present_enterprise_id_park_code_plate_no_plate_color_key,
  add constraint present_enterprise_id_park_code_plate_no_plate_color_key unique nulls not distinct (enterprise_id, park_code, plate_no, plate_color) include (car_kind, status, area_code);
alter table parking.present set (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 500);
