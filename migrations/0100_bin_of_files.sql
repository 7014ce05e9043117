-- Files and folders that are deleted are marked and keep their place, so that a whole folder comes back as it was; in the bin they stand like everything else, a folder once with all
-- that went with it. Whichever way one is marked, brought back or gone for good, its line in the bin follows.
create function system.marked_away() returns trigger language plpgsql security definer set search_path = '' as $$
declare of_kind text := tg_table_schema || '.' || tg_table_name;
begin
  if old.deleted_at is not null then
    delete from platform.bin b where b.enterprise_id = old.enterprise_id and b.kind = of_kind and b.row_key = old.id::text;
  end if;
  if tg_op = 'UPDATE' and new.deleted_at is not null and coalesce(new.deleted_with, new.id) = new.id then
    insert into platform.bin (enterprise_id, kind, row_key, title, at, author_name, content)
    values (new.enterprise_id, of_kind, new.id::text, new.name, new.deleted_at, new.deleted_by, '{}');
  end if;
  return null;
end $$;
create trigger marked_away after update of deleted_at or delete on system.folder for each row execute function system.marked_away();
create trigger marked_away after update of deleted_at or delete on system.document for each row execute function system.marked_away();
insert into platform.bin (enterprise_id, kind, row_key, title, at, author_name, content)
  select enterprise_id, 'system.folder', id::text, name, deleted_at, deleted_by, '{}'::jsonb from system.folder where deleted_at is not null and deleted_with = id
  union all select enterprise_id, 'system.document', id::text, name, deleted_at, deleted_by, '{}'::jsonb from system.document where deleted_at is not null and deleted_with is null;
