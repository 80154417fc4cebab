import { InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { planIdSchema } from '#contracts/purchases.ts';
import {
  buyerEmailSchema,
  countSchema,
  featuresSchema,
  momentSchema,
  orderIdSchema,
  tierSchema,
} from '#contracts/vendor.ts';

/** Takes the value when the schema does; else commander says what is wrong with it. */
const checked =
  <T>(schema: z.ZodType<T>) =>
  (text: string): T => {
    const result = schema.safeParse(text);
    if (result.success) return result.data;
    throw new InvalidArgumentError(result.error.issues.map((issue) => issue.message).join('; '));
  };

export const parseEmail = checked(buyerEmailSchema);
export const parsePlanId = checked(planIdSchema);
export const parseTier = checked(tierSchema);
export const parsePurchaseId = checked(orderIdSchema);
export const parseCount = checked(countSchema);
/** Id of an event. */
export const parsePosition = checked(z.string().regex(/^\d{1,18}$/, 'must be a whole number'));
export const parseFeatures = checked(featuresSchema);
export const parseMoment = checked(momentSchema);
