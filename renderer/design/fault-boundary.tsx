import { Component, type ReactNode } from 'react';

export interface FaultBoundaryProps {
  /** What stands in the place of what failed. */
  readonly shown: (error: unknown) => ReactNode;
  readonly onFault?: () => void;
  readonly children: ReactNode;
}

/** What fails within it leaves the rest of the panel as it is. */
export class FaultBoundary extends Component<FaultBoundaryProps, { readonly error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch() {
    this.props.onFault?.();
  }

  override render() {
    return this.state.error === null ? this.props.children : this.props.shown(this.state.error);
  }
}
