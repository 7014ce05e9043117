-- What is read from a card is the same card in capitals and in small letters: readers and their makers do not agree.
alter table charging.card add column card_key text not null generated always as (upper(card_no)) stored;
create index card_key on charging.card (enterprise_id, card_key);
-- It follows from the number: a change of it is told once.
create or replace trigger watched after insert or update or delete on charging.card for each row execute function platform.watched('id', 'card_key');
