-- The index of companies and contacts was read without websites and with addresses in several spellings: each portal is
-- listed once more before anything is created in it.
delete from crm_listings;
