import * as z from 'zod';
import { countSchema, maxReason, reasonSchema } from '#contracts/portal/vendor.ts';
import type { LicenseView } from '../../licenses/license-view.ts';
import type { Change, VendorLicenses } from '../../licenses/vendor-licenses.ts';
import type { FieldError } from '../../pages/form.tsx';
import type { VendorCalendar } from '../vendor-calendar.ts';
import type { licenseWords } from './license.words.ts';

/** In the reader's language. */
type LicenseWords = (typeof licenseWords)['en'];

interface ActionForm {
  readonly form: URLSearchParams;
  readonly words: LicenseWords;
  readonly calendar: VendorCalendar;
  readonly timeZone: string;
}

interface LicenseAction {
  readonly tone: 'primary' | 'danger';
  /** What the form asks for besides a confirmation. */
  readonly asks?: 'extension' | 'reason';
  /** Whether it makes sense now; the rules decide again when it is done. */
  offeredFor(license: LicenseView): boolean;
  run(licenses: VendorLicenses, id: string, sent: ActionForm): Promise<Change | readonly FieldError[]>;
}

const reasoned =
  (act: (licenses: VendorLicenses, id: string, reason: string) => Promise<Change>): LicenseAction['run'] =>
  async (licenses, id, { form, words }) => {
    const reason = reasonSchema.safeParse(form.get('reason') ?? '');
    return reason.success
      ? act(licenses, id, reason.data)
      : [{ field: 'reason', message: words.badReason(maxReason) }];
  };

/** In the order of the page. */
export const licenseActions = {
  resume: {
    tone: 'primary',
    offeredFor: ({ status }) => status === 'suspended',
    run: (licenses, id) => licenses.resume(id),
  },
  extend: {
    tone: 'primary',
    asks: 'extension',
    offeredFor: ({ status, expiresAt }) => status !== 'revoked' && expiresAt !== null,
    async run(licenses, id, sent) {
      const extension = await readExtension(sent);
      return 'message' in extension ? [extension] : licenses.extend(id, extension);
    },
  },
  'grant-transfer': {
    tone: 'primary',
    offeredFor: ({ status }) => status !== 'revoked',
    run: (licenses, id) => licenses.grantTransfer(id),
  },
  suspend: {
    tone: 'danger',
    asks: 'reason',
    offeredFor: ({ status }) => status === 'active',
    run: reasoned((licenses, id, reason) => licenses.suspend(id, reason)),
  },
  unbind: {
    tone: 'danger',
    offeredFor: ({ machine }) => machine !== null,
    run: (licenses, id) => licenses.unbind(id),
  },
  revoke: {
    tone: 'danger',
    asks: 'reason',
    offeredFor: ({ status }) => status !== 'revoked',
    run: reasoned((licenses, id, reason) => licenses.revoke(id, reason)),
  },
} as const satisfies Readonly<Record<string, LicenseAction>>;
export type LicenseActionName = keyof typeof licenseActions;

export const isLicenseAction = (name: string): name is LicenseActionName =>
  Object.hasOwn(licenseActions, name);

export const actionOf = (name: LicenseActionName): LicenseAction => licenseActions[name];

/** A day as a date picker sends it. */
export const daySchema = z.iso.date();

/** From one of the two fields. */
const readExtension = async ({ form, words, calendar, timeZone }: ActionForm) => {
  const [days, until] = [form.get('days')?.trim() ?? '', form.get('until')?.trim() ?? ''];
  const refuse = (field: string, message: string): FieldError => ({ field, message });
  if ((days === '') === (until === '')) return refuse('days', words.badExtension);
  if (days !== '') {
    const count = countSchema.safeParse(days);
    return count.success ? { days: count.data } : refuse('days', words.badDays);
  }
  const day = daySchema.safeParse(until);
  return day.success ? { until: await calendar.endOf(day.data, timeZone) } : refuse('until', words.badDay);
};
