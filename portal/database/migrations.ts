import type { Migrations } from '#runtime/database/migrate.ts';
import { licensing } from './migrations/0001-licensing.ts';
import { keySuccession } from './migrations/0002-key-succession.ts';
import { mailAndPurchases } from './migrations/0003-mail-and-purchases.ts';
import { customers } from './migrations/0004-customers.ts';
import { vendor } from './migrations/0005-vendor.ts';
import { devicesAndCounters } from './migrations/0006-devices-and-counters.ts';
import { searchAndSales } from './migrations/0007-search-and-sales.ts';
import { customerLanguages } from './migrations/0008-customer-languages.ts';

export const migrations: Migrations = {
  '0001-licensing': licensing,
  '0002-key-succession': keySuccession,
  '0003-mail-and-purchases': mailAndPurchases,
  '0004-customers': customers,
  '0005-vendor': vendor,
  '0006-devices-and-counters': devicesAndCounters,
  '0007-search-and-sales': searchAndSales,
  '0008-customer-languages': customerLanguages,
};
