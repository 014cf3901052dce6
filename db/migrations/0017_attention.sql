-- What needs attention is few rows among many.
create index subscriptions_canceling_idx on subscriptions (organization_id, id)
 where quantity is not null and (status not in ('canceled', 'incomplete_expired')
       and (body ->> 'cancelAtPeriodEnd' = 'true' or body ->> 'cancelAt' is not null));
create index crm_links_failed_idx on crm_links (organization_id, portal_id, kind, source_id) where state = 'failed';
