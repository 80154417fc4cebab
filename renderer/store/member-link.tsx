import { useCan } from '../kit/access/access-state.ts';
import { PanelLink } from '../kit/design/panel-link.tsx';
import { useWords } from '../kit/language/use-words.ts';
import { storePartsWords } from './store-parts.words.ts';

interface MemberLinkProps {
  readonly id: string;
  /** Empty for a member without a player. */
  readonly name: string;
}

export const MemberName = ({ id, name }: MemberLinkProps) => {
  const words = useWords(storePartsWords);
  return <bdi>{name || words.memberNumber(id)}</bdi>;
};

/** Links to the member's page for readers who may open it. */
export const MemberLink = (member: MemberLinkProps) => {
  const can = useCan();
  const name = <MemberName {...member} />;
  return can('members.read') ? <PanelLink to={`/members/${member.id}`}>{name}</PanelLink> : name;
};
