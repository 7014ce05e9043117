-- A device whose clock was plainly wrong is dated by receipt; `payload` keeps what it said.
alter table device.message add column clock_fixed boolean not null default false;

-- Which of these are numbers of devices: a client id names its own device and no other.
create function device.numbers_among(wanted text[]) returns setof text stable language sql security definer set search_path = ''
  begin atomic select d.device_no from device.device d where d.device_no = any (wanted); end;
