import { Code, Group, List, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { type LicenseStatus, licenseStateHttp } from '#contracts/license/license-state.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { pollMs, useRead } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { LastKnown } from '../../operations/last-known.tsx';
import { useLastKnown } from '../../operations/use-last-known.ts';
import { CustomerAreaLink } from './customer-area-link.tsx';
import classes from './license.module.css';
import { licenseWords } from './license.words.ts';
import { LicenseChecks } from './license-checks.tsx';
import { LicenseVerdictStrip } from './license-verdict-strip.tsx';

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
const LicenseFacts = ({ status }: { readonly status: LicenseStatus }) => {
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

/** How to transfer a license to another machine. Collapsed and separate, because this machine is refused afterwards. */
const TransferSteps = () => {
  const words = useWords(licenseWords);
  const { install, choose, activate } = words.transferSteps;
  return (
    <details className={classes.apart}>
      <summary>{words.transferTitle}</summary>
      <Stack gap="xs" mt="sm">
        <Text>{words.transferWarning}</Text>
        <List type="ordered" spacing={4}>
          {[install, choose, activate].map((step) => (
            <List.Item key={step}>{step}</List.Item>
          ))}
        </List>
        <Text size="sm" c="dimmed">
          {words.transferByHand}
        </Text>
        <Text size="sm" c="dimmed">
          {words.transferFree}
        </Text>
      </Stack>
    </details>
  );
};

export const Page = () => {
  const words = useWords(licenseWords);
  const status = useRead(licenseStateHttp.status, {}, { everyMs: pollMs.often });
  const lastKnownAt = useLastKnown(status.dataUpdatedAt, { everyMs: pollMs.often, liveEveryMs: null });
  return (
    <Frame title={words.title}>
      {lastKnownAt && <LastKnown at={lastKnownAt} />}
      <AsyncContent read={status}>
        {(known) => (
          <>
            <LicenseVerdictStrip status={known} isLastKnown={lastKnownAt !== null} />
            <div className={classes.columns}>
              <LicenseFacts status={known} />
              <LicenseChecks status={known} />
            </div>
            <TransferSteps />
          </>
        )}
      </AsyncContent>
    </Frame>
  );
};
