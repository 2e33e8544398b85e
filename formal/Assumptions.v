(** What each main theorem rests on.  `make assumptions` compiles this file; tests/formal reads what it prints. *)
From Pomgcheck Require Instances Decomposition Memory Windows Simulation Elementary Logs RuleLin WeakRevealing
  Ville Hellinger ScheduleBound NestedRule Play.
From Pomgcheck.examples Require Doors Patrol PatrolRegret.
Print Assumptions Instances.rationals.
Print Assumptions Decomposition.factorization.
Print Assumptions Decomposition.nonexpansive.
Print Assumptions Decomposition.oom_identity.
Print Assumptions Memory.factorization.
Print Assumptions Memory.nonexpansive.
Print Assumptions Memory.oom_identity.
Print Assumptions Windows.window_nonexpansive.
Print Assumptions Simulation.simulation_lemma_false.
Print Assumptions RuleLin.tree_sound.
Print Assumptions WeakRevealing.check_class_sound.
Print Assumptions WeakRevealing.check_revealing_sound.
Print Assumptions Patrol.revealing.
Print Assumptions Elementary.square_le.
Print Assumptions Elementary.exp_le_quadratic.
Print Assumptions Logs.enclose_sound.
Print Assumptions Logs.kl_at_least_sound.
Print Assumptions Ville.Ville.
Print Assumptions Hellinger.gap_hellinger.
Print Assumptions ScheduleBound.theorem_N.
Print Assumptions NestedRule.regret_of_nested.
Print Assumptions NestedRule.expected_regret.
Print Assumptions Play.regret_of_class.
Print Assumptions Doors.doors_says_something.
Print Assumptions PatrolRegret.regret.
Print Assumptions PatrolRegret.says_something.
