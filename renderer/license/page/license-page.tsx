import { List, Stack, Text } from '@mantine/core';
import { licenseStateHttp } from '#contracts/license/license-state.ts';
import { useRead } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { LastKnown } from '../../operations/last-known.tsx';
import { useLastKnown } from '../../operations/use-last-known.ts';
import classes from './license.module.css';
import { licenseWords } from './license.words.ts';
import { LicenseChecks } from './license-checks.tsx';
import { LicenseFacts } from './license-facts.tsx';
import { LicenseVerdictStrip } from './license-verdict-strip.tsx';

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

const everyMs = 5000;

export const Page = () => {
  const words = useWords(licenseWords);
  const status = useRead(licenseStateHttp.status, {}, { everyMs });
  const lastKnownAt = useLastKnown(status.dataUpdatedAt, { everyMs, liveEveryMs: null });
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
