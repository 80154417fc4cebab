import * as z from 'zod';

// Imported before any contract: schemas are otherwise compiled from strings, which the content security policy forbids.
z.config({ jitless: true });
