import { Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { CopyButton } from '../design/copy-button.tsx';
import { problemTexts } from '../language/problem-texts.ts';
import { useLanguage, useWords } from '../language/use-words.ts';
import { ownWordsOf } from '../license/vendor-words.ts';
import { accessWords } from './access.words.ts';
import { askAccess, type LicenseRefusal } from './access-state.ts';
import { AuthLayout } from './auth-layout.tsx';

/** Shown while the license is invalid: the reason, and the solution, which is on the machine itself. */
export const UnlicensedPage = ({ license }: { readonly license: LicenseRefusal }) => {
  const { unlicensed: words } = useWords(accessWords);
  const language = useLanguage();
  const { title, meaning, remedy } = problemTexts(license.code, language);
  const own = ownWordsOf(license.code, license.detail);
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
          <Text>{words.onMachine}</Text>
          <Code block>castellan license activate</Code>
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
        <Button variant="default" onClick={askAccess}>
          {words.check}
        </Button>
      </Stack>
    </AuthLayout>
  );
};
