//! What cannot be drawn is said, in the place of an empty page.

import { Component, type ComponentChildren } from "preact";
import { wordsOf } from "../state/notices.ts";

export class Guard extends Component<{ children: ComponentChildren }, { message: string }> {
  override state = { message: "" };

  override componentDidCatch(error: unknown): void {
    this.setState({ message: wordsOf(error).message });
  }

  #leave = () => {
    location.hash = "#/";
    this.setState({ message: "" });
  };

  render() {
    const { message } = this.state;
    if (message === "") return <>{this.props.children}</>;
    return (
      <main class="guard">
        <div class="empty" role="alert">
          <strong>This cannot be shown</strong>
          <p>{message}</p>
          <p>
            Parts of the page may be of different versions: reload it, with Shift held to pass by the browser's cache.
            Indexes that are saved in this browser stay.
          </p>
          <p class="empty-actions">
            <button type="button" class="button button-main" onClick={() => location.reload()}>
              Reload
            </button>
            <button type="button" class="button" onClick={this.#leave}>
              All repositories
            </button>
          </p>
        </div>
      </main>
    );
  }
}
