import { countSchema, momentSchema } from '#contracts/vendor.ts';
import type { Extension } from '../../licenses/license-status.ts';
import type { LicenseView } from '../../licenses/license-view.ts';
import type { Change, VendorLicenses } from '../../licenses/vendor-licenses.ts';
import type { FieldError } from '../../pages/form.tsx';

export interface LicenseAction {
  readonly label: string;
  /** Said before it is done. */
  readonly meaning: string;
  readonly tone: 'primary' | 'danger';
  /** Whether it makes sense now; the rules decide once more when it is done. */
  offeredFor(license: LicenseView): boolean;
  run(licenses: VendorLicenses, id: string, form: URLSearchParams): Promise<Change | readonly FieldError[]>;
}

export const licenseActions = {
  extend: {
    label: 'Extend',
    meaning: 'The license gets more time. An expired one works again with its next check.',
    tone: 'primary',
    offeredFor: ({ status, expiresAt }) => status !== 'revoked' && expiresAt !== null,
    async run(licenses, id, form) {
      const extension = readExtension(form);
      return 'message' in extension ? [extension] : licenses.extend(id, extension);
    },
  },
  'grant-transfer': {
    label: 'Grant a transfer',
    meaning:
      'The customer may move the license to another machine once more, beside the free transfers. It does not run out.',
    tone: 'primary',
    offeredFor: ({ status }) => status !== 'revoked',
    run: (licenses, id) => licenses.grantTransfer(id),
  },
  unbind: {
    label: 'Unbind',
    meaning:
      'The license is freed from its machine, and a transfer that is under way is cancelled. The machine is refused at its next check, and whoever activates the key next binds it: that machine or any other.',
    tone: 'danger',
    offeredFor: ({ machine }) => machine !== null,
    run: (licenses, id) => licenses.unbind(id),
  },
  suspend: {
    label: 'Suspend',
    meaning: 'The installation is refused at its next check and stops working, until the license is resumed.',
    tone: 'danger',
    offeredFor: ({ status }) => status === 'active',
    run: (licenses, id) => licenses.suspend(id),
  },
  resume: {
    label: 'Resume',
    meaning:
      'The license is active again; the installation works after its next check, within a quarter of an hour.',
    tone: 'primary',
    offeredFor: ({ status }) => status === 'suspended',
    run: (licenses, id) => licenses.resume(id),
  },
  revoke: {
    label: 'Revoke',
    meaning:
      'The installation is refused at its next check and stops working. This is final: a revoked license never comes back.',
    tone: 'danger',
    offeredFor: ({ status }) => status !== 'revoked',
    run: (licenses, id) => licenses.revoke(id),
  },
} as const satisfies Readonly<Record<string, LicenseAction>>;
export type LicenseActionName = keyof typeof licenseActions;

export const isLicenseAction = (name: string): name is LicenseActionName =>
  Object.hasOwn(licenseActions, name);

/** By one of the two fields. */
const readExtension = (form: URLSearchParams): Extension | FieldError => {
  const [days, until] = [form.get('days')?.trim() ?? '', form.get('until')?.trim() ?? ''];
  if ((days === '') === (until === ''))
    return { field: 'days', message: 'Write either a number of days or a last day.' };
  if (days !== '') {
    const count = countSchema.safeParse(days);
    return count.success
      ? { days: count.data }
      : { field: 'days', message: `The number of days ${count.error.issues[0]?.message}.` };
  }
  const moment = momentSchema.safeParse(until);
  return moment.success
    ? { until: moment.data }
    : { field: 'until', message: `The last day ${moment.error.issues[0]?.message}.` };
};
