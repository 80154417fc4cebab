import { Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { LicenseRefusal } from '#contracts/license/license-state.ts';
import { accessWords } from '../../identity/access/access.words.ts';
import { askAccessAndPortal } from '../../kit/access/access-state.ts';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { problemTexts } from '../../kit/language/problem-texts.ts';
import { useFormat } from '../../kit/language/use-format.ts';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import { licenseRemedyWords } from '../../license/license-remedies.words.ts';
import { isAreaRemedy, isSolvedByActivation } from '../../license/remedy.ts';
import { ownWordsOf } from '../../license/vendor-words.ts';
import { AuthLayout } from './auth-layout.tsx';

/** Shown while the license is invalid: the reason, and what helps against it. */
export const UnlicensedPage = ({ license }: { readonly license: LicenseRefusal }) => {
  const { unlicensed: words } = useWords(accessWords);
  const remedyWords = useWords(licenseRemedyWords);
  const language = useLanguage();
  const { title, meaning, remedy } = problemTexts(license.code, language);
  const own = ownWordsOf(license.code, license.detail);
  const { customerAreaUrl } = license;
  return (
    <AuthLayout title={title}>
      <Stack gap="md">
        <section>
          <Text>{meaning}</Text>
          {own && (
            <Text c="dimmed">
              <bdi>{own}</bdi>
            </Text>
          )}
        </section>
        <section>
          <Title order={2}>{words.remedy}</Title>
          <Text>{remedy}</Text>
          {isAreaRemedy(license.code) && customerAreaUrl && (
            <Button component="a" href={customerAreaUrl} target="_blank" rel="noreferrer" mt="xs">
              {remedyWords.openArea}
            </Button>
          )}
          {isSolvedByActivation(license.code) && (
            <>
              <Text>{words.onMachine}</Text>
              <Code block>castellan license activate</Code>
            </>
          )}
        </section>
        {license.hwid && (
          <section>
            <Title order={2}>{words.hwid}</Title>
            <Group gap="xs" wrap="nowrap">
              <Code>{license.hwid}</Code>
              <CopyButton value={license.hwid} label={words.copyHwid} />
            </Group>
          </section>
        )}
        <Text c="dimmed" role="status">
          {words.text} {words.waiting}
        </Text>
        <PortalCheck lastCheck={license.lastCheck ?? null} />
      </Stack>
    </AuthLayout>
  );
};

type Check = NonNullable<LicenseRefusal['lastCheck']>;

/** Asks the portal, and says what it answered last. */
const PortalCheck = ({ lastCheck }: { readonly lastCheck: Check | null }) => {
  const { unlicensed: words } = useWords(accessWords);
  const format = useFormat();
  const [isAsking, setAsking] = useState(false);
  /** The check that was known when the button was pressed. */
  const [before, setBefore] = useState<string | null>();
  const at = lastCheck?.at ?? null;
  const ask = async () => {
    setAsking(true);
    await askAccessAndPortal();
    setBefore(at);
    setAsking(false);
  };
  return (
    <Stack gap="xs" align="stretch">
      <Button variant="default" onClick={ask} loading={isAsking}>
        {words.check}
      </Button>
      <Text role="status">
        {lastCheck && words.lastCheck[lastCheck.outcome](format.exact(lastCheck.at))}{' '}
        {before === at && (at === null ? words.notAsked : words.notNewer)}
      </Text>
    </Stack>
  );
};
