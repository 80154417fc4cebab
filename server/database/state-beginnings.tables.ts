/** Since when a component is unwell, or a server in its state. */
export interface StateBeginningsTable {
  subject: string;
  state: string;
  since: Date;
}
