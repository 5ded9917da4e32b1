// Sends requests to the server one at a time: of those made meanwhile, only the last is sent.

export class Question {
  #send;
  /** What was asked and has no answer, and what is to be asked after it. */
  #asked = null;
  #next = null;
  #number = 0;

  /** `send(number, content)` asks the server. */
  constructor(send) {
    this.#send = send;
  }

  ask(content) {
    if (this.#asked !== null) {
      this.#next = content;
      return;
    }
    this.#asked = content;
    this.#send(++this.#number, content);
  }

  /** An answer came: what was asked, null if it is an answer to something else. The next question is asked. */
  answered(number) {
    if (number !== this.#number || this.#asked === null) return null;
    const asked = this.#asked;
    this.giveUp();
    return asked;
  }

  /** No answer will come. */
  giveUp() {
    const next = this.#next;
    this.#asked = this.#next = null;
    if (next !== null) this.ask(next);
  }

  /** Whether an answer is out of date when it comes. */
  get isSuperseded() {
    return this.#next !== null;
  }
}

/** How an agent of a board moves, as the server is told. */
export const agentOf = ({ moves, radius, terrain }) => ({ moves, radius, terrain });
