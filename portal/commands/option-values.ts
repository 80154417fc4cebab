import { InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { valueFaultOf } from '#contracts/kernel/value-faults.ts';
import { planIdSchema } from '#contracts/portal/purchases.ts';
import {
  buyerEmailSchema,
  buyerNameSchema,
  countSchema,
  featuresSchema,
  momentSchema,
  orderIdSchema,
  reasonSchema,
  tierSchema,
} from '#contracts/portal/vendor.ts';

/** Returns the value if the schema accepts it; otherwise commander says what is wrong with it. */
const checked =
  <T>(schema: z.ZodType<T>) =>
  (text: string): T => {
    const result = schema.safeParse(text);
    if (result.success) return result.data;
    throw new InvalidArgumentError(
      result.error.issues.map((issue) => valueFaultOf(issue).message).join('; '),
    );
  };

export const parseEmail = checked(buyerEmailSchema);
export const parseName = checked(buyerNameSchema);
export const parseReason = checked(reasonSchema);
export const parsePlanId = checked(planIdSchema);
export const parseTier = checked(tierSchema);
export const parsePurchaseId = checked(orderIdSchema);
export const parseCount = checked(countSchema);
/** The id of an event. */
export const parsePosition = checked(z.string().regex(/^\d{1,18}$/, 'must be a whole number'));
export const parseFeatures = checked(featuresSchema);
export const parseMoment = checked(momentSchema);
