(** What the main theorems rest on.  `make assumptions` compiles this file; tests/formal reads what it prints.
    The first ones must be closed.  Those about logarithms and probabilities are asked together, as one answer takes two seconds: they
    may rest on the four axioms of Coq's real numbers. *)
From Pomgcheck Require Instances Decomposition Memory Windows Simulation Elementary Logs RuleLin RuleSign CausalDecomposition ChannelTriangle SimulationSummed WeakRevealing
  RevealingRatio WellSpecified Covering BoundedIncrements PredictiveStates PosteriorLipschitz WarmupStationary Regret ForwardErrors KLConversion
  Ville Hellinger ScheduleBound WarmUp NestedRule LikelihoodEvents AlgorithmBound ComputingRule Play Numbers ExtractedKernel.
From Pomgcheck.examples Require Doors Patrol PatrolRegret.
Print Assumptions Instances.rationals.
Print Assumptions Decomposition.factorization.
Print Assumptions Decomposition.nonexpansive.
Print Assumptions Decomposition.oom_identity.
Print Assumptions Memory.factorization.
Print Assumptions Memory.nonexpansive.
Print Assumptions Memory.oom_identity.
Print Assumptions Windows.window_nonexpansive.
Print Assumptions CausalDecomposition.factorization_holds.
Print Assumptions CausalDecomposition.nonexpansive_holds.
Print Assumptions CausalDecomposition.one_step.
Print Assumptions CausalDecomposition.oom_identity_holds.
Print Assumptions ChannelTriangle.channel_triangle.
Print Assumptions SimulationSummed.simulation_summed.
Print Assumptions SimulationSummed.simulation_values.
Print Assumptions SimulationSummed.simulation_realised.
Print Assumptions Simulation.simulation_lemma_false.
Print Assumptions RuleLin.tree_sound.
Print Assumptions RuleSign.sign_sound.
Print Assumptions RuleSign.cuts_sound.
Print Assumptions RuleSign.combine_sound.
Print Assumptions WeakRevealing.check_class_sound.
Print Assumptions WeakRevealing.check_revealing_sound.
Print Assumptions RevealingRatio.check_ratio_sound.
Print Assumptions RevealingRatio.no_signal.
Print Assumptions WellSpecified.check_well_specified_sound.
Print Assumptions WellSpecified.outside_sound.
Print Assumptions Covering.check_covering_sound.
Print Assumptions BoundedIncrements.check_increments_sound.
Print Assumptions BoundedIncrements.increment_at_sound.
Print Assumptions BoundedIncrements.impossible_unbounded.
Print Assumptions PredictiveStates.check_predictive_sound.
Print Assumptions PredictiveStates.impossible_undefined.
Print Assumptions WarmupStationary.mean_stationary.
Print Assumptions WarmupStationary.latest_stationary.
Print Assumptions WarmupStationary.check_stationary_sound.
Print Assumptions WarmupStationary.check_reaction_sound.
Print Assumptions PosteriorLipschitz.check_lipschitz_sound.
Print Assumptions PosteriorLipschitz.check_apart_sound.
Print Assumptions PosteriorLipschitz.check_unequal_sound.
Print Assumptions ForwardErrors.expected_fast_is.
Print Assumptions Patrol.revealing.
Print Assumptions WarmUp.warmed_up.
Definition over_the_reals := (
  @Elementary.square_le,
  @Elementary.exp_le_quadratic,
  @Logs.enclose_sound,
  @Logs.kl_at_least_sound,
  @Ville.Ville,
  @Hellinger.gap_hellinger,
  @ScheduleBound.theorem_N,
  @LikelihoodEvents.Freedman_step,
  @LikelihoodEvents.likelihood_events,
  @AlgorithmBound.regret_of_optimistic_schedule,
  @NestedRule.regret_of_nested,
  @NestedRule.expected_regret,
  @WarmUp.cost_le,
  @ComputingRule.nested_Q_is_nested,
  @Play.regret_of_document,
  @Play.regret_of_class,
  @Numbers.gap_le_D,
  @Numbers.says_something_sound,
  @Regret.check_regret_sound,
  @Regret.check_D_sound,
  @KLConversion.check_kl_joint,
  @KLConversion.check_kl_world,
  @KLConversion.no_more_kl_joint,
  @KLConversion.no_more_kl_world,
  @KLConversion.no_kl_joint,
  @KLConversion.no_kl_world,
  @ExtractedKernel.confirmed_sound,
  @Doors.regret_doors,
  @Doors.program_is_rule,
  @Doors.doors_says_something,
  @PatrolRegret.regret,
  @PatrolRegret.says_something).
Print Assumptions over_the_reals.
