-- Who pays on a day is told by the events with which a subscription began or ceased to pay. Lists and sums of customers read
-- this index alone, and no row with its receipt.
create index events_paying_idx on events (organization_id, customer_id, occurred_at) include (current_mrr_cents)
  where (current_mrr_cents > 0) <> (previous_mrr_cents > 0) and mrr_status <> 'Planned_Cancellation';
