-- Codes that are printed and hung up. Whoever scans one stands at its place; a park's code alone says nothing, since two enterprises may use the same one.
-- short_code is unique over all enterprises. Prints of the versions from oldest_no on are good.
create function parking.new_short_code() returns text language sql volatile as $$
  select left(translate(encode(sha256(uuid_send(gen_random_uuid())), 'base64'), '+/=0OIl', 'abcdefg'), 10) $$;
create table parking.qrcode (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), target smallint not null check (target between 1 and 4), target_code text not null,
  park_code text not null, short_code text not null default parking.new_short_code(), version_no integer not null default 1 check (version_no > 0),
  oldest_no integer not null default 1 check (oldest_no between 1 and version_no), land_url text, status smallint not null default 1 check (status in (1, 2)), scans bigint not null default 0,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id));
create unique index qrcode_short on parking.qrcode (short_code);
create unique index qrcode_of on parking.qrcode (enterprise_id, park_code, target, target_code);
select platform.scoped('parking.qrcode');

-- Every park, gate and bay has its code from the beginning.
create function parking.give_qrcode() returns trigger language plpgsql as $$
begin
  insert into parking.qrcode (enterprise_id, target, target_code, park_code)
    values (new.enterprise_id, tg_argv[0]::smallint, to_jsonb(new) ->> tg_argv[1], new.park_code) on conflict do nothing;
  return null;
end $$;
create trigger qrcode after insert on parking.park for each row execute function parking.give_qrcode('1', 'park_code');
create trigger qrcode after insert on parking.gate for each row execute function parking.give_qrcode('2', 'gate_code');
create trigger qrcode after insert on parking.bay for each row execute function parking.give_qrcode('3', 'seat_code');
insert into parking.qrcode (enterprise_id, target, target_code, park_code) select enterprise_id, 1, park_code, park_code from parking.park;
insert into parking.qrcode (enterprise_id, target, target_code, park_code) select enterprise_id, 2, gate_code, park_code from parking.gate;
insert into parking.qrcode (enterprise_id, target, target_code, park_code) select enterprise_id, 3, seat_code, park_code from parking.bay;

-- The key never leaves the database; the application cannot read it.
create table parking.qr_key (key bytea not null check (length(key) = 64));
insert into parking.qr_key select sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) || sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
revoke all on parking.qr_key from kerbline_app;

-- HMAC-SHA256 (RFC 2104) over shortCode.versionNo, its first 16 characters in base64url. The key is one block long.
create function parking.qr_signature(of_short text, of_version integer) returns text language plpgsql stable security definer set search_path = '' as $$
declare inside bytea; outside bytea;
begin
  select k.key, k.key into inside, outside from parking.qr_key k;
  for i in 0..63 loop
    inside := set_byte(inside, i, get_byte(inside, i) # 54);
    outside := set_byte(outside, i, get_byte(outside, i) # 92);
  end loop;
  return translate(left(encode(sha256(outside || sha256(inside || convert_to(of_short || '.' || of_version, 'UTF8'))), 'base64'), 16), '+/', '-_');
end $$;
create view parking.qrcode_shown with (security_invoker = true) as
  select q.*, q.short_code || '.' || q.version_no || '.' || parking.qr_signature(q.short_code, q.version_no) as code from parking.qrcode q;
grant select on parking.qrcode_shown to kerbline_app;

-- Where a code hangs, if it is one of ours and still good. A stranger has no enterprise: this is how one is found.
create function parking.scanned(of_code text) returns table (enterprise_id integer, park_code text, target smallint, target_code text)
language plpgsql stable security definer set search_path = '' as $$
declare parts text[] := string_to_array(of_code, '.');
begin
  if of_code !~ '^[A-Za-z0-9]{10}[.][1-9][0-9]{0,6}[.][A-Za-z0-9_-]{16}$' or parts[3] <> parking.qr_signature(parts[1], parts[2]::integer) then return; end if;
  return query select q.enterprise_id, q.park_code, q.target, q.target_code from parking.qrcode q
    where q.short_code = parts[1] and q.status = 1 and parts[2]::integer between q.oldest_no and q.version_no;
end $$;

-- A driver at the exit: what waits for payment at the place of a code, and no other enterprise's.
drop function settlement.waiting(text, text);
drop function settlement.enterprise_of(text);

-- Whose a park is, and how it is let (subType): the maps and lists of parks are cut by it.
alter table parking.park add column sub_type smallint not null default 1 check (sub_type in (1, 2, 3));
