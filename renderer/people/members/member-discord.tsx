import { Text } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import { type Member, type MemberGroup, memberGroups } from '#contracts/people/members.ts';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import type { ListFilter } from '../../kit/lists/list-props.ts';
import { memberDiscordWords } from './member-discord.words.ts';

/** Filtered by the API: the value in the address is a group. */
export const useGroupFilter = (): ListFilter<Member> => {
  const words = useWords(memberDiscordWords);
  return useMemo(() => {
    const option = (value: MemberGroup) => ({ value, label: words.groups[value] });
    return { id: 'group', label: words.group, options: memberGroups.map(option) };
  }, [words]);
};

/** In a cell: the name in Discord, and whether the person has left. */
export const useDiscordText = (): ((member: Member) => string) => {
  const words = useWords(memberDiscordWords);
  return useCallback(
    ({ discordId, discord }) => {
      if (discordId === null) return '';
      if (!discord) return words.id(discordId);
      return discord.leftAt === null ? discord.name : words.left(discord.name);
    },
    [words],
  );
};

/** The member's Discord account, with what is known about it on the server. */
export const DiscordAccount = ({ member }: { readonly member: Member }) => {
  const words = useWords(memberDiscordWords);
  const { discordId, discord } = member;
  if (discordId === null) return words.notLinked;
  return (
    <>
      {discord && <bdi>{discord.name}</bdi>}
      <Text size="sm" c="dimmed">
        <DiscordPlace discord={discord} />
        <br />
        {words.id(discordId)}
      </Text>
    </>
  );
};

const DiscordPlace = ({ discord }: Pick<Member, 'discord'>) => {
  const words = useWords(memberDiscordWords);
  if (!discord) return words.notSeen;
  const { joinedAt, leftAt } = discord;
  if (leftAt !== null)
    return (
      <>
        {words.hasLeft} <TimeAgo at={leftAt} />
      </>
    );
  if (joinedAt === null) return words.here;
  return (
    <>
      {words.joined} <TimeAgo at={joinedAt} />
    </>
  );
};
