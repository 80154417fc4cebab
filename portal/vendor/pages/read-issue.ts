import type * as z from 'zod';
import { tenantIdSchema } from '#contracts/license/licenses.ts';
import {
  buyerEmailSchema,
  buyerNameSchema,
  countSchema,
  knownFeatures,
  orderIdSchema,
} from '#contracts/portal/vendor.ts';
import type { NewLicense } from '../../licenses/issue-license.ts';
import type { FieldError } from '../../pages/form.tsx';
import type { Plan } from '../../purchases/plans.ts';
import type { VendorCalendar } from '../vendor-calendar.ts';
import type { issueWords } from './issue.words.ts';
import { daySchema } from './license-actions.ts';

/** The value for a license without a plan: no plan can have this name. */
export const noPlan = '-';
export const allFeatures = '*';

/** The choices that the form offers; it accepts no others. */
export interface IssueChoices {
  readonly plans: readonly Plan[];
  readonly tiers: readonly string[];
  readonly features: readonly string[];
}

const usualTier = 'standard';

/** Names in plans that the product does not know can be chosen, too. */
export const choicesOf = (plans: readonly Plan[]): IssueChoices => ({
  plans,
  tiers: [...new Set([usualTier, ...plans.map(({ tier }) => tier)])].toSorted(),
  features: [
    ...new Set([
      ...knownFeatures,
      ...plans.flatMap(({ features }) => features.filter((name) => name !== '*')),
    ]),
  ],
});

interface SentIssue {
  readonly form: URLSearchParams;
  readonly choices: IssueChoices;
  readonly words: (typeof issueWords)['en'];
  readonly calendar: VendorCalendar;
  readonly timeZone: string;
  readonly now: Date;
}

type Grant = Pick<NewLicense, 'tier' | 'features' | 'maxClusters'> & { readonly durationDays: number | null };

const dayMs = 86_400_000;

/** The license that the form requests, or all its errors. */
export const readIssue = async (sent: SentIssue): Promise<NewLicense | readonly FieldError[]> => {
  const { form, words, calendar, timeZone, now } = sent;
  const errors: FieldError[] = [];
  const fault = (field: string | null, message: string): null => {
    errors.push({ field, message });
    return null;
  };
  const text = (field: string) => (form.get(field) ?? '').trim();
  const read = <T>(field: 'email' | 'name' | 'clusters' | 'order', schema: z.ZodType<T>): T | null => {
    const result = schema.safeParse(text(field));
    return result.success ? result.data : fault(field, words.faults[field]);
  };
  const optional = <T>(field: 'name' | 'clusters' | 'order', schema: z.ZodType<T>): T | null =>
    text(field) === '' ? null : read(field, schema);

  const buyerEmail = read('email', buyerEmailSchema);
  const buyerName = optional('name', buyerNameSchema);
  const maxClusters = optional('clusters', countSchema);
  const grant = readGrant(sent, maxClusters, fault);
  const purchaseId = optional('order', orderIdSchema) ?? undefined;
  const id = tenantIdSchema.safeParse(form.get('id'));
  if (!id.success) fault(null, words.faults.stale);

  const day = text('expires') === '' ? null : daySchema.safeParse(text('expires'));
  if (day && !day.success) fault('expires', words.faults.expires);
  const lastMoment = day?.success ? await calendar.endOf(day.data, timeZone) : null;
  if (lastMoment && lastMoment <= now) fault('expires', words.faults.passed);

  if (errors.length > 0 || buyerEmail === null || grant === null || !id.success) return errors;
  const { durationDays, ...what } = grant;
  const planned = durationDays === null ? null : new Date(now.getTime() + durationDays * dayMs);
  const mailKey = form.get('mail') === 'yes';
  const expiresAt = lastMoment ?? planned;
  return { id: id.data, buyerEmail, buyerName, ...what, expiresAt, purchaseId, mailKey };
};

/** Only a plan, or tier and features from the lists. */
const readGrant = (
  { form, choices, words }: SentIssue,
  maxClusters: number | null,
  fault: (field: string, message: string) => null,
): Grant | null => {
  const plan = form.get('plan') ?? '';
  const tier = form.get('tier') ?? '';
  const features = [...new Set(form.getAll('feature'))];
  if (plan === '') return fault('plan', words.faults.plan);
  if (plan !== noPlan) {
    const chosen = choices.plans.find(({ id }) => id === plan);
    if (!chosen) return fault('plan', words.faults.planGone);
    const hasMore = tier !== '' || features.length > 0 || (form.get('clusters') ?? '').trim() !== '';
    if (hasMore) return fault('plan', words.faults.planAndMore);
    const { durationDays } = chosen;
    return { tier: chosen.tier, features: chosen.features, maxClusters: chosen.maxClusters, durationDays };
  }
  const isTier = choices.tiers.includes(tier);
  if (!isTier) fault('tier', words.faults.tier);
  const isAll = features.includes(allFeatures);
  if (isAll && features.length > 1) return fault('feature', words.faults.allAndSingle);
  if (!isAll && (features.length === 0 || features.some((name) => !choices.features.includes(name))))
    return fault('feature', words.faults.features);
  return isTier ? { tier, features, maxClusters, durationDays: null } : null;
};
