import { generateSync } from 'otplib';
import type { TestPortal } from '#harness/portal.ts';
import type { VendorClient } from '../accounts/vendor-sessions.ts';

export const client = (address = '192.0.2.1', device: string | null = null): VendorClient => ({
  address,
  userAgent: 'test',
  device,
});

/** The code that an authenticator shows at this moment. */
export const codeAt = (secret: string, at: Date): string =>
  generateSync({ secret, epoch: Math.floor(at.getTime() / 1000) });

export interface EnrolledAccount {
  readonly id: string;
  readonly name: string;
  readonly password: string;
  /** The authenticator's secret. */
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
  /** The token of the session that the enrolment left. */
  readonly token: string;
  readonly device: string;
}

/** An account with its own password and an authenticator, created through the regular steps. */
export const enrolAccount = async (
  { context: { vendorArea } }: TestPortal,
  name: string,
): Promise<EnrolledAccount> => {
  const invited = await vendorArea.accounts.create(name, 'test');
  if (invited.outcome !== 'invited') throw new Error(invited.reason);
  const first = await vendorArea.signIn.password(name, invited.initialPassword, client());
  if (first.outcome !== 'go-on') throw new Error(first.outcome);
  const offer = await vendorArea.enrolment.offer(first.token);
  if (!offer) throw new Error('nothing was offered');
  const secret = offer.secret.reveal();
  const password = `${name} has a long password`;
  const wanted = { password, code: codeAt(secret, vendorArea.now()) };
  const enrolled = await vendorArea.enrolment.enrol(first.token, wanted, client());
  if (enrolled.outcome !== 'signed-in') throw new Error(enrolled.outcome);
  const { token, device, recoveryCodes } = enrolled;
  return { id: invited.account.id, name, password, secret, recoveryCodes, token, device };
};
