-- Whatever a person can delete waits thirty days in the bin. Rows that others go on naming are marked and keep their place; their line in the bin follows the mark.
create function platform.marked_away() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  author jsonb := nullif(current_setting('scope.author', true), '')::jsonb;
  whole jsonb := to_jsonb(new);
begin
  if new.deleted then
    insert into platform.bin (enterprise_id, park_code, kind, row_key, title, author_name, content)
    values (new.enterprise_id, whole ->> 'park_code', tg_table_schema || '.' || tg_table_name, new.id::text, left(whole ->> tg_argv[0], 200),
      coalesce(author ->> 'userName', current_user), '{}');
  else
    delete from platform.bin b where b.enterprise_id = new.enterprise_id and b.kind = tg_table_schema || '.' || tg_table_name and b.row_key = new.id::text;
  end if;
  return null;
end $$;
create function platform.binned_by_mark(of regclass, title text default 'name') returns void language plpgsql as $$
begin
  execute format('create trigger marked_away after update of deleted on %s for each row when (old.deleted <> new.deleted) execute function platform.marked_away(%L)', of, title);
end $$;
select platform.binned_by_mark('parking.park');
select platform.binned_by_mark('parking.area');
select platform.binned_by_mark('parking.gate');
select platform.binned_by_mark('message.channel');
select platform.binned_by_mark('message.template');

-- A row that stands over others takes along what its foreign keys delete with it, at any depth. Only what a person deleted is a line of its own.
create function platform.hanging(of regclass, whole jsonb, held jsonb default '{}') returns jsonb language plpgsql set search_path = '' as $$
declare tie record; tied jsonb; one jsonb;
begin
  for tie in
    select c.conrelid::regclass as child, string_agg(format('p.%I::text = $1 ->> %L', a.attname, f.attname), ' and ') as same
    from pg_catalog.pg_constraint c cross join lateral unnest(c.conkey, c.confkey) as k (child, parent)
    join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.child join pg_catalog.pg_attribute f on f.attrelid = c.confrelid and f.attnum = k.parent
    where c.confrelid = of and c.contype = 'f' and c.confdeltype = 'c' group by c.oid, c.conrelid
  loop
    execute format('select coalesce(jsonb_agg(to_jsonb(p)), ''[]'') from %s p where %s', tie.child, tie.same) into tied using whole;
    held := held || jsonb_build_object(tie.child::text, coalesce(held -> tie.child::text, '[]') || tied);
    for one in select * from jsonb_array_elements(tied) loop held := platform.hanging(tie.child, one, held); end loop;
  end loop;
  return held;
end $$;
create function platform.thrown_away_whole() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  author jsonb := nullif(current_setting('scope.author', true), '')::jsonb;
  whole jsonb := to_jsonb(old);
begin
  insert into platform.bin (enterprise_id, park_code, kind, row_key, title, author_name, content, parts)
  values (old.enterprise_id, whole ->> 'park_code', tg_table_schema || '.' || tg_table_name, old.id::text, left(coalesce(whole ->> tg_argv[0], old.id::text), 200),
    coalesce(author ->> 'userName', current_user), whole, platform.hanging(tg_relid, whole));
  return old;
end $$;
create function platform.binned_whole(of regclass, title text) returns void language plpgsql as $$
begin
  execute format('create trigger thrown_away before delete on %s for each row when (pg_trigger_depth() = 0) execute function platform.thrown_away_whole(%L)', of, title);
end $$;
select platform.binned_whole('fee.rule', 'name');
select platform.binned_whole('fee.segment', 'name');
select platform.binned_whole('fee.frequency', 'id');
select platform.binned_whole('fee.hour', 'id');
select platform.binned_whole('fee.step', 'id');
select platform.binned_whole('fee.associate', 'rule_id');
select platform.binned_whole('fee.holiday', 'name');
select platform.binned_whole('system.regulation', 'title');
select platform.binned_whole('system.clause', 'content');
select platform.binned_whole('system.alarm_rule', 'name');
-- A device comes back with its secret; that it is there again it says itself.
select platform.binned('device.device', title => 'name');
-- What all enterprises read, and its ties are made anew.
select platform.binned('system.help_page', title => 'title');
select platform.binned('system.update_note', title => 'title');
select platform.binned('system.dictionary_type', title => 'item');
select platform.binned('identity.resource', title => 'name');
select platform.binned('identity.button', title => 'name');

-- Parts may stand on one another: what has no place yet is tried again once others stand.
create or replace function platform.put_back_parts(parts jsonb) returns integer language plpgsql as $$
declare waiting jsonb := '[]'; later jsonb; part jsonb;
begin
  select coalesce(jsonb_agg(jsonb_build_object('of', p.key, 'content', one.value)), '[]') into waiting from jsonb_each(parts) p, jsonb_array_elements(p.value) one;
  loop
    later := '[]';
    for part in select * from jsonb_array_elements(waiting) loop
      begin perform platform.put_back(part ->> 'of', part -> 'content');
      exception when foreign_key_violation then later := later || jsonb_build_array(part); end;
    end loop;
    exit when jsonb_array_length(later) in (0, jsonb_array_length(waiting));
    waiting := later;
  end loop;
  return jsonb_array_length(later);
end $$;
