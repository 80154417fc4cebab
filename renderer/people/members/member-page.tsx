import { Alert, Button, Menu, Stack, Text } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { type MemberDetails, membersHttp } from '#contracts/people/members.ts';
import { playersHttp } from '#contracts/people/players.ts';
import { games } from '#contracts/servers/games.ts';
import { ordersHttp } from '#contracts/store/orders.ts';
import { useCan } from '../../kit/access/access-state.ts';
import type { Can } from '../../kit/access/can.ts';
import { useChange } from '../../kit/api/queries.ts';
import { AddButton } from '../../kit/design/add-button.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { DetailHeader } from '../../kit/design/detail-header.tsx';
import { DetailTabs } from '../../kit/design/detail-tabs.tsx';
import { FoundPage } from '../../kit/design/found-page.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { goTo } from '../../kit/routing/use-hash-location.ts';
import { whereaboutsOf } from '../../servers/online-players.ts';
import { useLivePlayers } from '../../servers/use-live-players.ts';
import { useServerNames } from '../../servers/use-server-names.ts';
import { storePartsWords } from '../../store/store-parts.words.ts';
import { useLiveDeliveries } from '../../store/use-live-deliveries.ts';
import { usePoints } from '../../store/use-points.ts';
import { peopleWords } from '../people/people.words.ts';
import { PersonColumns } from '../people/person-columns.tsx';
import { PersonMark } from '../people/person-mark.tsx';
import { PresencePill } from '../people/presence-pill.tsx';
import { Timeline } from '../timeline/timeline.tsx';
import { LastingCard } from './lasting-card.tsx';
import { LedgerCard } from './ledger-card.tsx';
import { EnterCodeDialog, LinkCodeDialog } from './link-dialogs.tsx';
import { MemberFacts } from './member-facts.tsx';
import { MemberOrders } from './member-orders.tsx';
import { membersWords } from './members.words.ts';
import { MergeDialog } from './merge-dialog.tsx';
import { MergesCard } from './merges-card.tsx';
import { type PointsAct, PointsDialog } from './points-dialog.tsx';

type MemberDoing = PointsAct | 'link' | 'enter' | 'merge' | 'erase';

/** The actions on a member. Irreversible ones come last in the menu. */
const MemberActs = ({ onChoose }: { readonly onChoose: (act: MemberDoing) => void }) => {
  const words = useWords(membersWords);
  const can = useCan();
  const mayPay = can('points.write');
  const mayChange = can('members.write');
  if (!mayPay && !mayChange) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<IconDots size={16} aria-hidden />}>
            {words.otherActs}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {mayPay && (
            <>
              <Menu.Item onClick={() => onChoose('correction')}>{words.take}</Menu.Item>
              <Menu.Item onClick={() => onChoose('transfer')}>{words.transfer}</Menu.Item>
            </>
          )}
          {mayPay && mayChange && <Menu.Divider />}
          {mayChange && (
            <>
              <Menu.Item onClick={() => onChoose('link')}>{words.link.open}</Menu.Item>
              <Menu.Item onClick={() => onChoose('enter')}>{words.link.enter}</Menu.Item>
              <Menu.Item onClick={() => onChoose('merge')}>{words.merge.open}</Menu.Item>
              <Menu.Divider />
              <Menu.Item color="var(--tone-bad)" onClick={() => onChoose('erase')}>
                {words.erase.open}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {mayPay && <AddButton onClick={() => onChoose('grant')}>{words.give}</AddButton>}
    </>
  );
};

const EraseDialog = (props: {
  readonly member: MemberDetails;
  readonly name: string;
  readonly onClose: () => void;
}) => {
  const { member, name, onClose } = props;
  const words = useWords(membersWords).erase;
  const { points } = usePoints();
  const erase = useChange(membersHttp.erase, [
    membersHttp.read,
    membersHttp.search,
    membersHttp.ledger,
    ordersHttp.list,
    ordersHttp.read,
    playersHttp.search,
    playersHttp.read,
  ]);
  return (
    <ConfirmAction
      title={words.title(name)}
      act={words.act}
      onAction={() => erase.mutateAsync({ params: { id: member.id }, body: { version: member.version } })}
      doneText={words.done}
      onClose={onClose}
    >
      <Stack gap="xs">
        <Text>{words.text}</Text>
        {member.balance > 0 && <Text>{words.wallet(points(member.balance))}</Text>}
        <Text fw={600}>{words.never}</Text>
      </Stack>
    </ConfirmAction>
  );
};

const tabNames = ['timeline', 'points', 'orders', 'lasting', 'merges'] as const;
type Tab = (typeof tabNames)[number];

const maySee = (can: Can, tab: Tab, { merges }: MemberDetails): boolean => {
  if (tab === 'orders' || tab === 'lasting') return can('orders.read');
  return tab !== 'merges' || merges.length > 0;
};

export const MemberPage = ({ id, tab }: { readonly id: string; readonly tab: string }) => {
  const words = useWords(membersWords);
  const everyMs = useLiveDeliveries();
  return (
    <FoundPage
      endpoint={membersHttp.read}
      id={id}
      everyMs={everyMs}
      words={words}
      back={{ to: '/members', label: words.all }}
    >
      {(member) => <MemberView member={member} tab={tabNames.find((name) => name === tab) ?? 'timeline'} />}
    </FoundPage>
  );
};

const MemberView = ({ member, tab }: { readonly member: MemberDetails; readonly tab: Tab }) => {
  const words = useWords(membersWords);
  const people = useWords(peopleWords);
  const can = useCan();
  const name = useNameOf(member);
  const { nameOf } = useServerNames();
  const [doing, setDoing] = useState<MemberDoing | null>(null);
  const close = () => setDoing(null);
  const isErased = member.erasedAt !== null;
  const seen = tabNames.filter((each) => maySee(can, each, member));
  const shown = seen.includes(tab) ? tab : 'timeline';
  const address = (to: Tab) => `/members/${member.id}${to === 'timeline' ? '' : `/${to}`}`;
  const players = new Map(member.players.map((player) => [player.id, player.name]));
  const content = {
    timeline: () => (
      <Timeline
        of={{ kind: 'member', id: member.id }}
        serverName={nameOf}
        playerName={(id) => (players.size > 1 ? (players.get(id) ?? null) : null)}
      />
    ),
    points: () => <LedgerCard memberId={member.id} />,
    orders: () => <MemberOrders memberId={member.id} mayOrder={!isErased} />,
    lasting: () => <LastingCard memberId={member.id} />,
    merges: () => <MergesCard member={member} />,
  };
  return (
    <Stack gap="md" maw="var(--content-width)">
      <DetailHeader
        mark={<PersonMark name={name} />}
        title={name}
        {...(shown !== 'timeline' && { part: words.tabs[shown] })}
        state={isErased ? <StateLabel tone="idle">{words.erased}</StateLabel> : <Presence member={member} />}
        facts={useHeaderFacts(member)}
        actions={!isErased && <MemberActs onChoose={setDoing} />}
      />
      {isErased && (
        <Alert color="gray" variant="outline" title={words.erasedTitle}>
          {words.erasedText}
        </Alert>
      )}
      <PersonColumns facts={<MemberFacts member={member} />}>
        <DetailTabs
          label={people.sections}
          shown={shown}
          onShow={(to) => goTo(address(to))}
          tabs={seen.map((each) => ({
            name: each,
            label: words.tabs[each],
            ...(each === 'merges' && { count: member.merges.length }),
          }))}
        >
          {content[shown]()}
        </DetailTabs>
      </PersonColumns>
      {(doing === 'grant' || doing === 'correction' || doing === 'transfer') && (
        <PointsDialog act={doing} member={member} name={name} onClose={close} />
      )}
      {doing === 'link' && <LinkCodeDialog member={member} onClose={close} />}
      {doing === 'enter' && <EnterCodeDialog member={member} name={name} onClose={close} />}
      {doing === 'merge' && <MergeDialog member={member} name={name} onClose={close} />}
      {doing === 'erase' && <EraseDialog member={member} name={name} onClose={close} />}
    </Stack>
  );
};

const useNameOf = ({ id, name }: MemberDetails): string => {
  const words = useWords(storePartsWords);
  return name || words.memberNumber(id);
};

const useHeaderFacts = ({ players, discord, createdAt }: MemberDetails) => {
  const words = useWords(membersWords);
  const format = useFormat();
  const played = [...new Set(players.map(({ game }) => games[game].name))];
  return [
    ...(played.length > 0 ? [{ key: 'games', content: format.list(played) }] : []),
    ...(discord ? [{ key: 'discord', content: words.inDiscord(discord.name) }] : []),
    { key: 'since', content: words.memberSince(format.date(createdAt)) },
  ];
};

/** The servers that any of their players is on now, or was last known to be on. */
const Presence = ({ member: { players } }: { readonly member: MemberDetails }) => {
  const { nameOf } = useServerNames();
  const { servers, whereIs } = useLivePlayers();
  const can = useCan();
  if (!can.somewhere('players.read') || players.length === 0 || servers === null) return null;
  return (
    <span role="status">
      <PresencePill where={whereaboutsOf(players.map(whereIs))} serverName={nameOf} />
    </span>
  );
};
