import * as z from 'zod';
import { isStorable } from './storable-text.ts';

/** Filter text that a database can store. */
export const filterText = (longest: number) =>
  z.string().min(1).max(longest).refine(isStorable, { error: 'must not hold NUL or half characters' });
