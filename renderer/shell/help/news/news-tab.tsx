import { Button, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useMemo, useState } from 'react';
import { useMe } from '../../../kit/access/access-state.ts';
import { AsyncContent } from '../../../kit/design/async-content.tsx';
import { useLanguage, useWords } from '../../../kit/language/use-words.ts';
import { loadWhenServed } from '../../../kit/routing/page-chunks.ts';
import { InlineText } from '../guides/markdown-view.tsx';
import { helpPageWords } from '../help-page.words.ts';
import { parseInline } from '../markdown.ts';
import { keepSeen, useSeenVersion } from '../news-seen.ts';
import { ownVersion } from '../own-version.ts';
import { parseChangelog, type Release, releasesSince } from './changelog.ts';
import classes from './news-tab.module.css';

const load = loadWhenServed(() => import('../../../../CHANGELOG.md?raw'));

/** The changes since the person last looked, and all earlier ones. */
export const NewsTab = () => {
  const read = useQuery({
    queryKey: ['changelog'],
    queryFn: async () => (await load()).default,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return <AsyncContent read={read}>{(text) => <News text={text} />}</AsyncContent>;
};

const News = ({ text }: { readonly text: string }) => {
  const words = useWords(helpPageWords);
  const language = useLanguage();
  const { id } = useMe();
  // New entries stay marked while they are read, although they count as seen from now on.
  const seenNow = useSeenVersion();
  const [seen] = useState(seenNow);
  useEffect(() => keepSeen(id), [id]);
  const releases = useMemo(() => parseChangelog(text), [text]);
  const since = releasesSince(releases, seen, ownVersion);
  const rest = releases.filter((release) => !since.includes(release));
  return (
    <Stack gap="xl" maw="48rem">
      <Text c="dimmed" size="sm">
        {words.youHave(ownVersion)} {language !== 'en' && words.onlyEnglish}
      </Text>
      {since.length > 0 && seen !== null && (
        <section>
          <Title order={2} mb="sm">
            {words.since(seen)}
          </Title>
          <Releases releases={since} />
        </section>
      )}
      {rest.length > 0 && (
        <section>
          <Title order={2} mb="sm">
            {since.length > 0 ? words.earlier : words.all}
          </Title>
          <Releases releases={rest} />
        </section>
      )}
    </Stack>
  );
};

const Releases = ({ releases }: { readonly releases: readonly Release[] }) => (
  <Stack gap="lg">
    {releases.map((release) => (
      <ReleaseView key={release.version} release={release} />
    ))}
  </Stack>
);

/** More are shown on demand. */
const shownAtFirst = 12;

const ReleaseView = ({ release: { version, date, entries } }: { readonly release: Release }) => {
  const words = useWords(helpPageWords);
  const language = useLanguage();
  const id = useId();
  const [isWhole, setIsWhole] = useState(entries.length <= shownAtFirst + 3);
  const shown = isWhole ? entries : entries.slice(0, shownAtFirst);
  return (
    <div>
      <Title order={3} mb="xs" id={id}>
        {words.version(version ?? ownVersion)}
        {date !== null && (
          <span className={classes.date}>
            {new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date))}
          </span>
        )}
      </Title>
      <ul className={classes.entries} lang="en" aria-labelledby={id}>
        {shown.map((entry) => (
          <li key={entry}>
            <InlineText parts={parseInline(entry)} />
          </li>
        ))}
      </ul>
      {!isWhole && (
        <Button variant="default" mt="sm" onClick={() => setIsWhole(true)}>
          {words.showAll(entries.length)}
        </Button>
      )}
    </div>
  );
};
