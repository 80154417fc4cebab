import { Code, Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import type { LicenseStatus } from '#contracts/license/license-state.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useRead } from '../../kit/api/queries.ts';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { CustomerAreaLink } from '../customer-area-link.tsx';
import { licenseWords } from './license.words.ts';

/** A known license has a number; without one, its limits are unknown. */
const isKnown = ({ licenseId, tier }: LicenseStatus): boolean => licenseId !== null || tier !== null;

/** How many clusters are in use, as the limit counts them; null while unknown or not visible to this person. */
const useClustersUsed = (): number | null => {
  const can = useCan();
  const clusters = useRead(clustersHttp.list, { query: {} }, { enabled: can('servers.read') });
  return clusters.data?.rows.length ?? null;
};

const Copied = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <Group gap={4} wrap="nowrap" align="flex-start">
    <Code>{text}</Code>
    <CopyButton value={text} label={label} />
  </Group>
);

/** The license itself: its plan, its end, what it allows, and the machine that it is bound to. */
export const LicenseFacts = ({ status }: { readonly status: LicenseStatus }) => {
  const words = useWords(licenseWords);
  const format = useFormat();
  const id = useId();
  const used = useClustersUsed();
  const { tier, features, maxClusters, licenseId, hwid, endsAt, customerAreaUrl } = status;
  const known = (value: ReactNode) => (isKnown(status) ? value : words.unknown);
  const featureWords = features.includes('*')
    ? words.allFeatures
    : features.length === 0
      ? words.noFeatures
      : format.list(features);
  const limit = maxClusters === null ? words.noLimit : words.maxClusters(maxClusters);
  const ends =
    endsAt === undefined ? (
      words.endUnknown
    ) : endsAt === null ? (
      words.neverEnds
    ) : (
      <time dateTime={endsAt} title={format.exact(endsAt)}>
        {format.date(endsAt)}
      </time>
    );
  return (
    <Stack component="section" gap="xs" aria-labelledby={id}>
      <Title order={2} id={id}>
        {words.facts}
      </Title>
      <Facts
        facts={[
          { label: words.tier, value: <bdi>{tier ?? words.unknown}</bdi> },
          { label: words.ends, value: known(ends) },
          {
            label: words.clusters,
            value: known(used === null ? limit : words.clustersUsed(used, maxClusters)),
          },
          { label: words.features, value: <bdi>{known(featureWords)}</bdi> },
          {
            label: words.licenseId,
            value: licenseId ? <Copied text={licenseId} label={words.copyLicenseId} /> : words.unknown,
          },
          {
            label: words.hwid,
            value: hwid ? <Copied text={hwid} label={words.copyHwid} /> : words.noHwid,
          },
        ]}
      />
      {customerAreaUrl && (
        <div>
          <CustomerAreaLink url={customerAreaUrl}>{words.openArea}</CustomerAreaLink>
        </div>
      )}
    </Stack>
  );
};
