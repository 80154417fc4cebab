import { printable } from '#runtime/printable.ts';
import type { LicenseView } from '../licenses/license-view.ts';
import type { Change } from '../licenses/vendor-licenses.ts';
import type { LicenseEventView } from '../vendor/event-log.ts';
import { CommandError, exitCodes, formatFields, type Said } from './outcome.ts';

export const noSuchLicense = (): CommandError =>
  new CommandError('There is no such license.', exitCodes.usage);

export const saidOfChange = (change: Change): Said => {
  if (change.outcome === 'not-found') throw noSuchLicense();
  if (change.outcome === 'refused') throw new CommandError(change.reason, exitCodes.failed);
  return { text: formatLicense(change.license), json: change.license };
};

export const formatLicense = (license: LicenseView): string => {
  const { machine } = license;
  return formatFields({
    License: license.id,
    Key: license.maskedKey,
    Status: license.status,
    ...(license.statusReason === null ? {} : { Reason: printable(license.statusReason) }),
    Expires: license.expiresAt ?? 'never',
    Buyer: license.buyerEmail,
    ...(license.buyerName === null ? {} : { Name: printable(license.buyerName) }),
    Tenant: license.tenantId,
    Purchase: license.purchaseId,
    Tier: license.tier,
    Features: license.features.join(', '),
    Clusters: license.maxClusters === null ? 'no cap' : `at most ${license.maxClusters}`,
    Issued: license.createdAt,
    Machine: machine?.hwid ?? 'none yet',
    ...(machine
      ? {
          Instance: `${machine.instanceId}, version ${machine.version}`,
          Bound: machine.boundAt,
          'Last check': machine.lastValidatedAt ?? 'none yet',
        }
      : {}),
  });
};

/** An event in one line. */
export const formatEvent = (event: LicenseEventView): string =>
  `${event.at}  ${event.licenseId}  ${event.kind}  ${printable(event.actorName ?? event.actor)}  ${JSON.stringify(event.data)}\n`;
