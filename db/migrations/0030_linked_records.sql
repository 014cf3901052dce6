-- A sync that wrote or removed nothing but associations leads to their records too.
alter table run_records drop constraint run_records_change_check,
  add constraint run_records_change_check check (change in ('added', 'changed', 'removed', 'linked', 'unlinked'));
