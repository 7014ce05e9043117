-- A locked session does nothing until its person has said the password again; the page keeps what was being worked on.
alter table identity.session add locked_at timestamptz;
create function identity.session_locked(which uuid) returns boolean stable language sql security definer set search_path = ''
  begin atomic select locked_at is not null from identity.session where id = which; end;
create trigger said_locked after update on identity.session for each row when (new.locked_at is distinct from old.locked_at) execute function identity.said();
