import { Code, Group } from '@mantine/core';
import type { LicenseStatus } from '#contracts/license-state.ts';
import { Card } from '../../design/card.tsx';
import { CopyButton } from '../../design/copy-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { useFormat } from '../../language/use-format.ts';
import { useWords } from '../../language/use-words.ts';
import { licenseWords } from './license.words.ts';

/** A license that is known has a number; without one, nothing is known of what it allows. */
const isKnown = ({ licenseId, tier }: LicenseStatus): boolean => licenseId !== null || tier !== null;

/** What the license allows, and the machine that it is bound to. */
export const LicenseFactsCard = ({ status }: { readonly status: LicenseStatus }) => {
  const words = useWords(licenseWords);
  const format = useFormat();
  const { tier, features, maxClusters, licenseId, hwid } = status;
  const featureWords = features.includes('*')
    ? words.allFeatures
    : features.length === 0
      ? words.noFeatures
      : format.list(features);
  const clusterWords = maxClusters === null ? words.noLimit : words.maxClusters(maxClusters);
  return (
    <Card title={words.facts}>
      <Facts
        facts={[
          { label: words.tier, value: <bdi>{tier ?? words.unknown}</bdi> },
          { label: words.features, value: <bdi>{isKnown(status) ? featureWords : words.unknown}</bdi> },
          { label: words.clusters, value: isKnown(status) ? clusterWords : words.unknown },
          {
            label: words.licenseId,
            value: licenseId ? (
              <Group gap={4} wrap="nowrap">
                <Code>{licenseId}</Code>
                <CopyButton value={licenseId} label={words.copyLicenseId} />
              </Group>
            ) : (
              words.unknown
            ),
          },
          {
            label: words.hwid,
            value: hwid ? (
              <Group gap={4} wrap="nowrap">
                <Code>{hwid}</Code>
                <CopyButton value={hwid} label={words.copyHwid} />
              </Group>
            ) : (
              words.noHwid
            ),
          },
        ]}
      />
    </Card>
  );
};
