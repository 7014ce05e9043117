-- Documents that people keep: folders, files in them, and the attachments that hold the bytes. What is deleted waits 30 days.
create table system.folder (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), parent_id uuid, name text not null, remark text,
  author_id text, author_name text not null, deleted_at timestamptz, deleted_by text, deleted_with uuid, version integer not null default 1,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, id), foreign key (enterprise_id, parent_id) references system.folder (enterprise_id, id), check (parent_id <> id));
create unique index folder_name on system.folder (enterprise_id, coalesce(parent_id, '00000000-0000-0000-0000-000000000000'), lower(name)) where deleted_at is null;
create index folder_parent on system.folder (enterprise_id, parent_id);
create index folder_deleted on system.folder (enterprise_id, deleted_at) where deleted_at is not null;
select platform.scoped('system.folder');

create table system.document (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), dir_id uuid, name text not null, remark text,
  author_id text, author_name text not null, deleted_at timestamptz, deleted_by text, deleted_with uuid, version integer not null default 1,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, id), foreign key (enterprise_id, dir_id) references system.folder (enterprise_id, id));
create unique index document_name on system.document (enterprise_id, coalesce(dir_id, '00000000-0000-0000-0000-000000000000'), lower(name)) where deleted_at is null;
create index document_dir on system.document (enterprise_id, dir_id, updated_at desc);
create index document_updated on system.document (enterprise_id, updated_at desc, id desc);
create index document_find on system.document using gin (name gin_trgm_ops);
create index document_deleted on system.document (enterprise_id, deleted_at) where deleted_at is not null;
select platform.scoped('system.document');

-- An attachment has a stored file of its own, so that deleting it takes nothing from whatever else shows the same bytes.
create table system.annexe (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), document_id uuid not null, file_id uuid not null unique references system.file,
  name text not null, author_id text, author_name text not null, bytes integer not null, created_at timestamptz not null default now(),
  foreign key (enterprise_id, document_id) references system.document (enterprise_id, id) on delete cascade);
create index annexe_document on system.annexe (enterprise_id, document_id);
create index annexe_author on system.annexe (enterprise_id, author_id);
select platform.scoped('system.annexe');
