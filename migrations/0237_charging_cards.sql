-- A charge that a card began names a card that there is.
alter table charging.charge add foreign key (enterprise_id, card_no) references charging.card (enterprise_id, card_no);
