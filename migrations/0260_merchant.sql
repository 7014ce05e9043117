-- Merchants.
create schema merchant;
select platform.opened('merchant');
