-- People know an invoice by its number.
create index invoices_number_idx on invoices (organization_id, number) where number is not null;
