import { formatMoment } from '../../pages/display.tsx';
import type { LicenseEventView, VendorEventView } from '../event-log.ts';

const kinds: Readonly<Record<LicenseEventView['kind'], string>> = {
  issued: 'Issued',
  activated: 'Activated',
  activation_refused: 'Activation refused: another machine',
  unbound: 'Freed from its machine',
  transfer_requested: 'Transfer requested',
  transfer_cancelled: 'Transfer cancelled',
  transfer_granted: 'One more transfer granted',
  transferred: 'Transferred',
  key_revealed: 'Key shown to the customer',
  suspended: 'Suspended',
  resumed: 'Resumed',
  revoked: 'Revoked',
  extended: 'Extended',
  subscription_ended: 'Subscription ended',
};

const actors: Readonly<Record<LicenseEventView['actor'], string>> = {
  client: 'an installation',
  vendor: 'the vendor',
  gateway: 'the payment gateway',
  customer: 'the customer',
};

const vendorKinds: Readonly<Record<VendorEventView['kind'], string>> = {
  account_created: 'Account made',
  account_disabled: 'Account disabled',
  account_enabled: 'Account enabled',
  account_reset: 'Account reset',
  authenticator_enrolled: 'Authenticator set up',
  signed_in: 'Signed in',
  recovery_code_used: 'Recovery code used',
  password_changed: 'Password changed',
  recovery_codes_renewed: 'Recovery codes renewed',
  keys_rotated: 'Signing keys rotated',
  key_retired: 'Signing key retired',
  keys_struck: 'Signing key struck out',
  mail_retried: 'Mail tried again',
  purchase_retried: 'Purchase tried again',
  purchase_dismissed: 'Purchase set aside',
  plan_set: 'Plan set',
  plan_removed: 'Plan removed',
  exported: 'Exported',
};

export const wordsOfEvent = ({ kind }: LicenseEventView): string => kinds[kind];
export const wordsOfVendorEvent = ({ kind }: VendorEventView): string => vendorKinds[kind];
export const whoDid = ({ actor, actorName }: LicenseEventView): string => actorName ?? actors[actor];

/** As JSON holds a Date. */
const isoMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** What an event holds, in a line: `version 1.2.0, hwid sha256:12ab34cd…` */
export const detailsOf = (data: Readonly<Record<string, unknown>>): string =>
  Object.entries(data)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${name} ${shortened(value)}`)
    .join(', ');

const shortened = (value: unknown): string => {
  if (typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value)) return `${value.slice(0, 15)}…`;
  if (typeof value === 'string' && isoMoment.test(value)) return formatMoment(new Date(value));
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(shortened).join(' ');
  return typeof value === 'object' && value !== null
    ? `(${detailsOf(value as Readonly<Record<string, unknown>>)})`
    : String(value);
};
