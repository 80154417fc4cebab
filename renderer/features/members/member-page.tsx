import { Alert, Button, Menu, Text } from '@mantine/core';
import { IconDots, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { type MemberDetails, membersHttp } from '#contracts/members.ts';
import { useCan } from '../../access/access-state.ts';
import { Card } from '../../design/card.tsx';
import { Facts } from '../../design/facts.tsx';
import { FoundPage } from '../../design/found-page.tsx';
import { Page as Frame } from '../../design/page.tsx';
import { PanelLink } from '../../design/panel-link.tsx';
import { TimeAgo } from '../../design/time-ago.tsx';
import { useWords } from '../../language/use-words.ts';
import { storePartsWords } from '../../store-parts/store-parts.words.ts';
import { useLiveDeliveries } from '../../store-parts/use-live-deliveries.ts';
import { usePoints } from '../../store-parts/use-points.ts';
import { EraseDialog } from './erase-dialog.tsx';
import { LastingCard } from './lasting-card.tsx';
import { LedgerCard } from './ledger-card.tsx';
import { EnterCodeDialog, LinkCodeDialog } from './link-dialogs.tsx';
import { DiscordAccount } from './member-discord.tsx';
import { MemberOrders } from './member-orders.tsx';
import { MemberPlayers } from './member-players.tsx';
import { membersWords } from './members.words.ts';
import { MergeDialog } from './merge-dialog.tsx';
import { MergesCard } from './merges-card.tsx';
import { type PointsAct, PointsDialog } from './points-dialog.tsx';

export const MemberPage = ({ id }: { readonly id: string }) => {
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
      {(member) => <MemberView member={member} />}
    </FoundPage>
  );
};

type Doing = PointsAct | 'link' | 'enter' | 'merge' | 'erase';

const MemberView = ({ member }: { readonly member: MemberDetails }) => {
  const words = useWords(membersWords);
  const { points } = usePoints();
  const name = useNameOf(member);
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = () => setDoing(null);
  const isErased = member.erasedAt !== null;
  return (
    <Frame
      title={name}
      description={<PanelLink to="/members">{words.all}</PanelLink>}
      actions={!isErased && <MemberActs onChoose={setDoing} />}
    >
      {isErased && (
        <Alert color="gray" variant="outline" title={words.erasedTitle}>
          {words.erasedText}
        </Alert>
      )}
      <Card title={words.facts}>
        <Facts
          facts={[
            { label: words.wallet, value: <Text fw={600}>{points(member.balance)}</Text> },
            { label: words.discord, value: <DiscordAccount member={member} /> },
            {
              label: words.lastSeen,
              value: member.lastSeenAt === null ? words.never : <TimeAgo at={member.lastSeenAt} />,
            },
            { label: words.since, value: <TimeAgo at={member.createdAt} /> },
          ]}
        />
      </Card>
      <MemberPlayers players={member.players} />
      <LedgerCard memberId={member.id} />
      <MemberOrders memberId={member.id} mayOrder={!isErased} />
      <LastingCard memberId={member.id} />
      <MergesCard member={member} />
      {(doing === 'grant' || doing === 'correction' || doing === 'transfer') && (
        <PointsDialog act={doing} member={member} name={name} onClose={close} />
      )}
      {doing === 'link' && <LinkCodeDialog member={member} onClose={close} />}
      {doing === 'enter' && <EnterCodeDialog member={member} name={name} onClose={close} />}
      {doing === 'merge' && <MergeDialog member={member} name={name} onClose={close} />}
      {doing === 'erase' && <EraseDialog member={member} name={name} onClose={close} />}
    </Frame>
  );
};

const useNameOf = ({ id, name }: MemberDetails): string => {
  const words = useWords(storePartsWords);
  return name || words.memberNumber(id);
};

const MemberActs = ({ onChoose }: { readonly onChoose: (act: Doing) => void }) => {
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
          {mayPay && <Menu.Item onClick={() => onChoose('correction')}>{words.take}</Menu.Item>}
          {mayPay && <Menu.Item onClick={() => onChoose('transfer')}>{words.transfer}</Menu.Item>}
          {mayChange && <Menu.Item onClick={() => onChoose('link')}>{words.link.open}</Menu.Item>}
          {mayChange && <Menu.Item onClick={() => onChoose('enter')}>{words.link.enter}</Menu.Item>}
          {mayChange && <Menu.Item onClick={() => onChoose('merge')}>{words.merge.open}</Menu.Item>}
          {mayChange && <Menu.Item onClick={() => onChoose('erase')}>{words.erase.open}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      {mayPay && (
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => onChoose('grant')}>
          {words.give}
        </Button>
      )}
    </>
  );
};
