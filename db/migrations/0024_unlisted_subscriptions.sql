-- In test mode a subscription goes with the test clock that it is tied to, and no event says so.
alter table unlisted_objects drop constraint unlisted_objects_kind_check;
alter table unlisted_objects
  add constraint unlisted_objects_kind_check check (kind in ('customers', 'invoices', 'subscriptions'));
