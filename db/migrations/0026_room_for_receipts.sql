-- On a first import most figures stand long before their history is in, and then change in nothing but their receipt. With
-- room beside them such a row stays on its page, and moves in none of the table's indexes.
alter table subscriptions set (fillfactor = 80);
