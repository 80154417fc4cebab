import { useMemo } from 'react';
import { useRoute } from 'wouter';
import * as z from 'zod';
import { type Member, memberGroups, membersHttp } from '#contracts/people/members.ts';
import { games } from '#contracts/servers/games.ts';
import { pollMs, usePagedRead } from '../../kit/api/queries.ts';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { PagedList } from '../../kit/lists/data-list.tsx';
import type { ListColumn } from '../../kit/lists/list-props.ts';
import { timeColumn } from '../../kit/lists/time-column.tsx';
import { useSearchState } from '../../kit/routing/use-search-state.ts';
import { MemberName } from '../../store/member-link.tsx';
import { storePartsWords } from '../../store/store-parts.words.ts';
import { useDiscordText, useGroupFilter } from './member-discord.tsx';
import { MemberPage } from './member-page.tsx';
import { membersWords } from './members.words.ts';

/** The API's limit. */
const longestText = 100;
const rowId = ({ id }: Member) => id;
const knownGroup = z.enum(memberGroups).optional().catch(undefined);

const MembersList = () => {
  const words = useWords(membersWords);
  const { values } = useSearchState();
  const text = (values.q ?? '').trim().slice(0, longestText).trim();
  const group = knownGroup.parse(values.group);
  const query = { ...(text !== '' && { text }), ...(group && { group }) };
  const members = usePagedRead(membersHttp.search, { query }, { everyMs: pollMs.usual });
  const columns = useMemberColumns();
  const filter = useGroupFilter();
  return (
    <Frame title={words.title} description={words.description}>
      <PagedList
        paged={members}
        name="members"
        label={words.title}
        rowId={rowId}
        search="api"
        columns={columns}
        filters={[filter]}
        rowTo={({ id }) => `/members/${id}`}
        empty={<EmptyState title={words.empty} text={words.emptyText} />}
      />
    </Frame>
  );
};

const useMemberColumns = (): readonly ListColumn<Member>[] => {
  const words = useWords(membersWords);
  const parts = useWords(storePartsWords);
  const format = useFormat();
  const discordText = useDiscordText();
  return useMemo((): readonly ListColumn<Member>[] => {
    const playersOf = ({ players }: Member) =>
      players.map(({ name, game }) => `${name} (${games[game].name})`).join(', ');
    return [
      {
        id: 'name',
        header: words.name,
        cell: ({ id, name }) => <MemberName id={id} name={name} />,
        text: ({ id, name }) => name || parts.memberNumber(id),
        width: 'minmax(8rem, 1fr)',
      },
      {
        id: 'players',
        header: words.players,
        cell: (member) => (member.erasedAt === null ? <bdi>{playersOf(member) || '–'}</bdi> : words.erased),
        text: playersOf,
        width: 'minmax(9rem, 2fr)',
      },
      {
        id: 'discord',
        header: words.discord,
        cell: (member) => <bdi>{discordText(member) || '–'}</bdi>,
        text: discordText,
        width: 'minmax(8rem, 1.2fr)',
      },
      {
        id: 'balance',
        header: words.balance,
        cell: ({ balance }) => format.number(balance),
        text: ({ balance }) => String(balance),
        width: '7rem',
        align: 'end',
      },
      timeColumn({
        id: 'seen',
        header: words.lastSeen,
        at: ({ lastSeenAt }) => lastSeenAt,
        none: words.never,
        width: '9rem',
        isMinor: true,
      }),
    ];
  }, [words, parts, format, discordText]);
};

export const Page = () => {
  const [isOne, params] = useRoute<{ id: string; tab?: string }>('/members/:id/:tab?');
  return isOne ? <MemberPage key={params.id} id={params.id} tab={params.tab ?? ''} /> : <MembersList />;
};
