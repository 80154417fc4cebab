import { licenseStateHttp } from '#contracts/license-state.ts';
import { AsyncContent } from '../../design/async-content.tsx';
import { Page as Frame } from '../../design/page.tsx';
import { useWords } from '../../language/use-words.ts';
import { LastKnown } from '../../stack-health/last-known.tsx';
import { useLastKnown } from '../../stack-health/use-last-known.ts';
import { useRead } from '../../wire/queries.ts';
import { licenseWords } from './license.words.ts';
import { LicenseChecksCard } from './license-checks-card.tsx';
import { LicenseFactsCard } from './license-facts-card.tsx';
import { LicenseStateCard } from './license-state-card.tsx';
import { TransferCard } from './transfer-card.tsx';

const everyMs = 5000;

/** The license of this installation. */
export const Page = () => {
  const words = useWords(licenseWords);
  const status = useRead(licenseStateHttp.status, {}, { everyMs });
  const lastKnownAt = useLastKnown(status.dataUpdatedAt, everyMs);
  return (
    <Frame title={words.title} description={words.description}>
      {lastKnownAt && <LastKnown at={lastKnownAt} />}
      <AsyncContent read={status}>
        {(known) => (
          <>
            <LicenseStateCard status={known} isLastKnown={lastKnownAt !== null} />
            <LicenseChecksCard status={known} />
            <LicenseFactsCard status={known} />
            <TransferCard />
          </>
        )}
      </AsyncContent>
    </Frame>
  );
};
