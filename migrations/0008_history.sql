-- What happened to one record and to what hangs on it, newest first. The row itself must be in the reader's scope: whoever asks has looked. Here the stream is read
-- past its own park policy only so far that changes of rows without a park are told to those who see some parks: they see such rows too.
create function platform.history(of text[], which text, common boolean, most integer) returns setof platform.change stable language sql security definer set search_path = '' begin atomic
  select c.* from platform.change c
  where c.enterprise_id = case when common then 0 else public.scope_enterprise() end and c.entity = any (of) and c.row_id = which
    and (c.park_code is null or public.scope_all_parks() or c.park_code = any (public.scope_parks()))
  order by c.at desc, c.id desc limit most; end;
